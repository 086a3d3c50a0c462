// Two runs of the same calls put side by side, and the report of them.
import type { Call } from './call.ts';
import { type Difference, differences } from './compare.ts';
import { type Expectation, expectationOf } from './expected.ts';
import type { NormalAnswer } from './normalise.ts';

/** A call and its answer on one server, or why there is none. */
export interface Outcome {
  call: Call;
  answer?: NormalAnswer;
  failure?: string;
}

export type Run = Outcome[];

export interface Comparison {
  instance: string;
  was: Run;
  now: Run;
  differences: { call: Call; differences: Difference[] }[];
}

/** Compares the answers of two servers call by call. */
export function compareRuns(instance: string, was: Run, now: Run): Comparison {
  if (was.length !== now.length || was.some(({ call }, index) => call !== now[index]!.call))
    throw new Error('the runs are not of the same calls');
  const differing = was.map((before, index) => {
    const after = now[index]!;
    const { call } = before;
    return { call, differences: before.answer && after.answer ? differences(before.answer, after.answer) : [] };
  });
  return { instance, was, now, differences: differing.filter((item) => item.differences.length > 0) };
}

/** Differences that are printed of one call. */
const maxPrinted = 12;

export interface Report {
  lines: string[];
  isGood: boolean;
}

/** The report of a whole run; `isGood` when there is nothing in it that nobody expected. */
export function printReport(comparisons: readonly Comparison[], expectations: readonly Expectation[]): Report {
  const problems = comparisons.flatMap(problemsOf);
  const met = new Set<Expectation>();
  const isUnexpected = (title: string) => (difference: Difference) => {
    const expectation = expectationOf(expectations, title, difference);
    if (expectation) met.add(expectation);
    return !expectation;
  };
  const unexpected = comparisons.flatMap(({ instance, differences }) =>
    differences
      .map((item) => ({ ...item, instance, differences: item.differences.filter(isUnexpected(item.call.title)) }))
      .filter((item) => item.differences.length > 0),
  );
  const unmet = expectations.filter((expectation) => !met.has(expectation));
  const calls = comparisons.flatMap(({ was }) => was).length;
  const count = unexpected.flatMap((item) => item.differences).length;
  const sums = [
    `${calls} calls`,
    `${count} differences`,
    ...(problems.length > 0 ? [`${problems.length} that went wrong`] : []),
    ...(met.size > 0 ? [`${met.size} expectations met`] : []),
  ];
  return {
    lines: [
      ...problems.flatMap(({ title, text }) => [`✗ ${title}`, `    ${text}`]),
      ...unexpected.flatMap(({ instance, call, differences }) => printDifferences(instance, call, differences)),
      ...unmet.map(({ why, call = 'any call', place }) => `✗ expected and not seen: ${place} of ${call} (${why})`),
      statusLine(comparisons),
      sums.join(', '),
    ],
    isGood: count === 0 && problems.length === 0 && unmet.length === 0 && calls > 0,
  };
}

function printDifferences(instance: string, call: Call, differences: Difference[]): string[] {
  const rest = differences.length - maxPrinted;
  return [
    `✗ ${instance} ${call.title}`,
    ...requestLines(call).map((line) => `    ${line}`),
    ...differences
      .slice(0, maxPrinted)
      .flatMap(({ place, was, now }) => [`    ${place}`, `      was ${was}`, `      now ${now}`]),
    ...(rest > 0 ? [`    and ${rest} more differences`] : []),
  ];
}

/** What was sent beside the line of a call, which many calls share. */
function requestLines({ headers, body }: Call): string[] {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  return [
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value.slice(0, 100)}`),
    ...(text === undefined
      ? []
      : [`sent ${text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text}`]),
  ];
}

interface Problem {
  title: string;
  text: string;
}

/** Calls that could not be made, and corner stones that are not what they have to be, on either server. */
function problemsOf({ instance, ...runs }: Comparison): Problem[] {
  return (['was', 'now'] as const).flatMap((side) =>
    runs[side].flatMap(({ call: { title, status }, answer, failure }) => {
      const isRight = failure === undefined && (status === undefined || answer?.status === status);
      const problem = failure ?? `has to be a ${status} and is a ${answer?.status}: ${answer?.body.slice(0, 300)}`;
      return isRight ? [] : [{ title: `${instance} ${title}`, text: `on the server that ${side}: ${problem}` }];
    }),
  );
}

/** `2xx 300, 4xx 200`: a run in which everything is refused shows. */
function statusLine(comparisons: readonly Comparison[]): string {
  const sides = (['was', 'now'] as const).map((side) => {
    const counts = new Map<string, number>();
    for (const { answer } of comparisons.flatMap((comparison) => comparison[side])) {
      const key = answer ? `${Math.floor(answer.status / 100)}xx` : 'no answer';
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts]
      .sort()
      .map(([key, count]) => `${key} ${count}`)
      .join(', ');
  });
  return `Answers: ${sides[0] === sides[1] ? sides[0] : `was ${sides[0]}; now ${sides[1]}`}`;
}

/** All answers of one side, to be read or compared by other programs. */
export function printAnswers(comparisons: readonly Comparison[], side: 'was' | 'now'): string {
  return comparisons
    .flatMap((comparison) =>
      comparison[side].map(({ call, answer, failure }) => {
        const headers = Object.entries(answer?.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
        const body = answer?.body ?? failure ?? '';
        const text = body.length > 20_000 ? `${body.slice(0, 20_000)}… (${body.length} characters)` : body;
        return [
          `### ${comparison.instance} ${call.title}`,
          ...requestLines(call),
          '',
          String(answer?.status ?? 'no answer'),
          ...headers,
          '',
          text,
          '',
        ].join('\n');
      }),
    )
    .join('\n');
}
