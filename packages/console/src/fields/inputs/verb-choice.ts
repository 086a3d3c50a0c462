// Verbs chosen in a picker, held as the wire wants them: a mask or a list of names (OPEN-055). Pure.
import { allVerbs, type Verb, verbMask, verbs, verbsOf } from '@sluice/contract';

export type VerbChoice = number | Verb[];

/** The verbs of a choice, in the order of masks. */
export const chosenVerbs = (choice: VerbChoice): Verb[] =>
  typeof choice === 'number' ? verbsOf(choice) : verbs.filter((verb) => choice.includes(verb));

const sameShape = (choice: VerbChoice, chosen: Verb[]): VerbChoice =>
  typeof choice === 'number' ? chosen.reduce((mask, verb) => mask | verbMask[verb], 0) : chosen;

/** The choice with one verb set or cleared, of the same shape. */
export function toggleVerb(choice: VerbChoice, verb: Verb): VerbChoice {
  const chosen = chosenVerbs(choice);
  return sameShape(choice, chosen.includes(verb) ? chosen.filter((other) => other !== verb) : [...chosen, verb]);
}

/** "All/None": clears when any is set, otherwise sets all. */
export const toggleAllVerbs = (choice: VerbChoice): VerbChoice =>
  sameShape(choice, chosenVerbs(choice).length > 0 ? [] : verbsOf(allVerbs));
