// Where a package comes from: a file of this device, or an address that the server fetches. Pure.

/** What a person chose: `path` is what stands in the input, the name of the file when there is one. */
export interface PackageSource {
  path: string;
  file: File | null;
}

export const noSource: PackageSource = { path: '', file: null };

/** A package as it is sent; null where nothing is chosen. */
export type ChosenPackage = { file: File } | { address: string } | null;

/** What a source leads to: an address where it begins as one (APP-018), else the file. Text that is neither leads nowhere. */
export function packageOf({ path, file }: PackageSource): ChosenPackage {
  const trimmed = path.trim();
  if (/^https?:\/\//i.test(trimmed)) return { address: trimmed };
  return file && trimmed === file.name.trim() ? { file } : null;
}

/** Why a package cannot be sent, as far as its name tells; null where nothing speaks against it. */
export function sourceProblem(
  source: PackageSource,
  endings: readonly string[],
): 'missing' | 'notFound' | 'wrongEnding' | null {
  if (source.path.trim() === '') return 'missing';
  const chosen = packageOf(source);
  if (!chosen) return 'notFound';
  return endings.some((ending) => endsWith(chosen, ending)) ? null : 'wrongEnding';
}

/** The ending of a package of one app; all others are of an instance. */
export const appPackageEnding = '.dfpkg';
export function isAppPackage(source: PackageSource): boolean {
  const chosen = packageOf(source);
  return chosen !== null && endsWith(chosen, appPackageEnding);
}

const endsWith = (chosen: NonNullable<ChosenPackage>, ending: string): boolean =>
  ('file' in chosen ? chosen.file.name : pathOf(chosen.address)).toLowerCase().endsWith(ending);

/** The path of an address, without its query. */
const pathOf = (address: string): string => (URL.canParse(address) ? new URL(address).pathname : address);
