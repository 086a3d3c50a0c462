import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { reachable } from '../api/send.ts';
import { useText } from '../text/index.ts';
import { Empty, Offline } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';

/** A piece of the console that is no longer on the server: it was updated while this page was open. */
const isOutdated = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed|Unable to preload/i.test(error.message);

/** Stands in for a page that failed: what happened, and how to go on. */
export const Broken = ({ error }: { error: unknown }) => {
  const t = useText('common');
  const isReachable = useStore(reachable);
  if (isOutdated(error) && !isReachable) return <Offline onRetry={() => window.location.reload()} />;
  const kind = isOutdated(error) ? 'outdated' : 'broken';
  return (
    <div role="alert">
      <Empty
        icon={IconAlertTriangle}
        title={t(`failed.${kind}Title`)}
        text={t(`failed.${kind}Text`)}
        action={
          <Button variant="default" onClick={() => window.location.reload()}>
            {t('failed.reload')}
          </Button>
        }
      />
    </div>
  );
};

interface BrokenPageProps {
  /** Another value shows the children again: the address, for a page inside the frame. */
  resetBy?: string;
  children: ReactNode;
}

/** Keeps one broken screen from taking the whole console along. */
export class BrokenPage extends Component<BrokenPageProps, { error: unknown; resetBy: string | undefined }> {
  override state: { error: unknown; resetBy: string | undefined } = { error: null, resetBy: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  static getDerivedStateFromProps(props: BrokenPageProps, state: { error: unknown; resetBy: string | undefined }) {
    if (props.resetBy === state.resetBy) return null;
    return { error: null, resetBy: props.resetBy };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    // The browser's own report, for those who open its tools: nothing else records the error.
    reportError(error instanceof Error ? Object.assign(error, { componentStack: info.componentStack }) : error);
  }

  override render() {
    return this.state.error ? <Broken error={this.state.error} /> : this.props.children;
  }
}
