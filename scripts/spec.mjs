// npm run spec: which requirements the tests of the last full run prove, which are on a stand-in and which are open.
// --open: just the open ids, one a line. --write: writes docs/proof.md. --check: fails when a proof of that page is lost;
// what the run left out is only said, with --complete it is lost too.
import { root } from './prepare.mjs';
import { tellStanding } from './standing.mjs';

process.exitCode = tellStanding(root, process.argv.slice(2), console);
