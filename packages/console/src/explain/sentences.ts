// What the server says in sentences, told in the reader's language by their ids; the server's own words where an id is not known.
import { type ExplainReason, type Explanation, explainSentences, tellReason } from '@sluice/contract';
import { serverText, text } from '../text/index.ts';

/** The decision in sentences. */
export const reasonTexts = ({ reasons, told = [] }: Explanation): string[] =>
  reasons.map((english, index) => tell(told[index], english));

/** What came of the record that was asked about. */
export const recordText = ({ id, text: english }: NonNullable<Explanation['record']>): string =>
  tell(id && { id }, english);

const tell = (reason: ExplainReason | undefined, english: string): string =>
  reason && Object.hasOwn(explainSentences, reason.id)
    ? tellReason(withOwnMessage(reason), (kind, id, values) =>
        text(`explain:${kind}.${id}` as 'explain:sentences.allowed', values),
      )
    : english;

/** A refusal inside a sentence is a message of its own. */
const withOwnMessage = (reason: ExplainReason): ExplainReason => {
  const message = reason.values?.message;
  return typeof message === 'string'
    ? { ...reason, values: { ...reason.values, message: serverText(message) } }
    : reason;
};
