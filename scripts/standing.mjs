// What npm run spec does: reads the reports, requirements and pages of a repository, and prints or writes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeCounts, evidenceOf, groupStanding, missingProofs, proofPage, recordedProofs } from './proof.mjs';
import { readReports, reportFolder } from './reports.mjs';
import { groupOf, idsIn, rangesOf, requirementIds } from './requirements.mjs';
import { startsServer } from './wire.mjs';

/** Does what the flags of npm run spec ask for (spec.mjs lists them), prints by `log` and `error`, returns the exit code. */
export function tellStanding(root, flags, { log, error }) {
  const standing = readStanding(root);
  if (!standing) {
    error('No reports to read: run npm test first.');
    return 1;
  }
  if (flags.includes('--check')) return checkProofs(standing, flags.includes('--complete'), { log, error });
  if (flags.includes('--write')) return writePage(root, standing, { log, error });
  if (flags.includes('--open')) for (const id of standing.groups.flatMap(({ open }) => open)) log(id);
  else printStanding(standing, log);
  return 0;
}

/** How a repository stands after its last full run; undefined when there are no reports of one. */
function readStanding(root) {
  const exists = (path) => existsSync(join(root, path));
  const read = (path) => (exists(path) ? readFileSync(join(root, path), 'utf8') : undefined);
  const run = readReports(join(root, reportFolder));
  if (!run) return undefined;
  const requirements = requirementIds(read('docs/requirements.md'));
  const standIns = JSON.parse(read('docs/stand-ins.json'));
  const listedIds = standIns.flatMap(({ ids }) => idsIn(ids));
  const wireFiles = new Set([...run.files].filter((file) => startsServer(file, read)));
  const evidence = evidenceOf(run.tests, ({ file, isJourney }) => isJourney || wireFiles.has(file));
  const groups = groupStanding(requirements, evidence, listedIds);
  const proofs = recordedProofs(read('docs/proof.md') ?? '');
  const missing = missingProofs(requirements, proofs, evidence, run, exists);
  return { requirements, standIns, listedIds, evidence, groups, proofs, missing };
}

function printStanding({ requirements, listedIds, evidence, groups }, log) {
  for (const group of groups) {
    log(`${group.group.padEnd(4)} ${describeCounts(group)}`);
    for (const [label, ids] of [
      ['proven', group.proven],
      ['on a stand-in', group.standIn],
      ['open', group.open],
    ])
      if (ids.length > 0) log(`     ${label}: ${rangesOf(ids)}`);
  }
  log(`\n${describeCounts(...groups)}.`);
  const groupNames = groups.map(({ group }) => group);
  const unknownIds = [...evidence.keys()].filter(
    (id) => groupNames.includes(groupOf(id)) && !requirements.includes(id),
  );
  if (unknownIds.length > 0) log(`Named by a test, but a note or no requirement: ${unknownIds.sort().join(' ')}`);
  const unneededIds = listedIds.filter((id) => !groups.some(({ listed }) => listed.includes(id)));
  if (unneededIds.length > 0) log(`In docs/stand-ins.json, but proven or on no stand-in: ${rangesOf(unneededIds)}`);
}

function checkProofs({ groups, proofs, missing }, isComplete, { log, error }) {
  const lost = missing.filter(({ isLeftOut }) => isComplete || !isLeftOut);
  const leftOut = missing.filter((proof) => !lost.includes(proof));
  if (leftOut.length > 0) log(`Not tried in this run: ${rangesOf(leftOut.map(({ id }) => id))}`);
  const newIds = groups.flatMap(({ proven }) => proven).filter((id) => !proofs.has(id));
  if (newIds.length > 0) log(`New proofs, to be written by npm run spec -- --write: ${rangesOf(newIds)}`);
  if (lost.length === 0) return 0;
  error('Proven in docs/proof.md, but not by this run:');
  for (const { id, files, attempts } of lost) {
    error(`  ${id}, until now by ${files.join(', ')}`);
    for (const { file, title, status } of attempts) error(`    ${status}: ${file}: ${title}`);
  }
  return 1;
}

/** Writes docs/proof.md, unless the run left something out: what was not tried would look lost. */
function writePage(root, { groups, evidence, standIns, missing }, { log, error }) {
  const leftOut = missing.filter(({ isLeftOut }) => isLeftOut);
  if (leftOut.length > 0) {
    error(`Not written, for the last run did not try ${rangesOf(leftOut.map(({ id }) => id))}`);
    return 1;
  }
  writeFileSync(join(root, 'docs/proof.md'), proofPage(groups, evidence, standIns));
  log('Wrote docs/proof.md');
  return 0;
}
