import { Loader, Text } from '@mantine/core';
import type { ExplainRequest } from '@sluice/contract';
import { describeError } from '../ui/index.ts';
import { Answer } from './answer.tsx';
import classes from './explain.module.css';
import { isAboutTable } from './question.ts';
import { useExplanation } from './sources.ts';

/** The decision on one call of a role, without making it; for administrators. `path` is below `/api/v2`. */
export function ExplainedCall({ request }: { request: ExplainRequest }) {
  const { data, error } = useExplanation(request, null);
  if (error)
    return (
      <Text role="alert" className={classes.problem ?? ''}>
        {describeError(error).messages.join(' ')}
      </Text>
    );
  if (!data) return <Loader size="sm" />;
  const component = request.path.slice(request.path.indexOf('/') + 1);
  return (
    <div className={classes.panel}>
      <Answer explanation={data} isRecordAsked={isAboutTable({ component })} subject={{}} />
    </div>
  );
}
