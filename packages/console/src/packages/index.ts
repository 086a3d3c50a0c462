// What screens share of packages: a file or an address is chosen, and sent with its progress. What is in a package is the screens'.

export { PackageInput } from './package-input.tsx';
export { PackageRefused } from './package-refused.tsx';
export {
  appPackageEnding,
  isAppPackage,
  noSource,
  type PackageSource,
  packageOf,
  sourceProblem,
} from './package-source.ts';
export { UploadProgress } from './upload-progress.tsx';
export { type PackageUpload, usePackageUpload } from './use-package-upload.ts';
