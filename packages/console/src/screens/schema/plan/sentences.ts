// What a plan says in sentences, told in the reader's language by their ids; the server's own words where an id is not known.
import { type PlannedTable, type UsageEntry, usageSentences } from '@sluice/contract';
import { formatNumber, text } from '../../../text/index.ts';

/** Where in a place a table or a field is named. */
export const usageText = ({ sentence, detail }: UsageEntry): string =>
  sentence && Object.hasOwn(usageSentences, sentence.id)
    ? text(
        `schema:plan.sentences.${sentence.id}` as 'schema:plan.sentences.row',
        sentence.values as { component: string },
      )
    : detail;

const misfitProblems = ['noValue', 'tooLong', 'wrongType', 'duplicate', 'noTarget'] as const;

/** Records that would not fit. */
export const misfitText = ({ field, records, problem, text: english }: PlannedTable['misfits'][number]): string => {
  const known = misfitProblems.find((name) => name === problem);
  return known
    ? text(`schema:plan.misfitTexts.${known}`, { count: records, records: formatNumber(records), field })
    : english;
};
