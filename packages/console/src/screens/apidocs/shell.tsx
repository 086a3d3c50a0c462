// What the pages of a service share: its document, or why there is none, and the way back.
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useText } from '../../text/index.ts';
import { Failed, Loading, Page } from '../../ui/index.ts';
import classes from './apidocs.module.css';
import type { OpenApiDocument } from './document.ts';
import { useDocument } from './sources.ts';

export interface PageOfService {
  base: string;
  service: string;
  /** The operation or the schema of the address. */
  name: string;
}

interface ShellProps extends Pick<PageOfService, 'service'> {
  title: string;
  count?: (document: OpenApiDocument) => number;
  back: { to: string; label: string };
  actions?: ReactNode;
  children: (document: OpenApiDocument) => ReactNode;
}

export function Shell({ service, title, count, back, actions, children }: ShellProps) {
  const t = useText('apidocs');
  const { data, error, refetch } = useDocument(service);
  return (
    <Page title={title} count={data && count?.(data)} actions={actions} above={<Back {...back} />}>
      {data ? (
        children(data)
      ) : error ? (
        <Failed error={error} title={t('failed')} onRetry={() => void refetch()} />
      ) : (
        <Loading shape="rows" />
      )}
    </Page>
  );
}

const Back = ({ to, label }: { to: string; label: string }) => (
  <Link to={to} className={classes.back}>
    <IconArrowLeft className={classes.icon} aria-hidden />
    {label}
  </Link>
);

/** A verb as it stands in lists; its colour says nothing that the word does not. */
export const Verb = ({ verb }: { verb: string }) => (
  <span className={classes.verb} data-verb={verb}>
    {verb}
  </span>
);
