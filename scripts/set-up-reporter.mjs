// A reporter for vitest beside its JSON one, which does not tell why a set-up failed: a line for each suite and file that
// could not begin.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { reportFolder, setUpFailures } from './reports.mjs';

export default class SetUpReporter {
  onTestRunEnd(modules) {
    const lines = modules.flatMap((module) => [
      ...linesOf(module, module.relativeModuleId),
      ...[...module.children.allSuites()].flatMap((suite) =>
        linesOf(suite, `${module.relativeModuleId} › ${suite.fullName}`),
      ),
    ]);
    writeFileSync(join(root, reportFolder, setUpFailures), lines.join('\n'));
  }
}

const linesOf = (task, where) =>
  task.errors().map(({ message }) => `${where}: ${message.replace(/\s+/g, ' ').slice(0, 300)}`);
