// Scripts that run around calls: the way down to one by its event (browser/), all of them in a list, and the editor of one with
// what shows how it does (try/, runs/). names/ knows what events and scripts are called (SCR-001).
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router';
import { useEnvironment } from '../../api/index.ts';
import { isForbidden } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { Empty, Failed, Loading, notify, Page } from '../../ui/index.ts';
import { base, type Level } from './address.ts';
import { Browser } from './browser/browser.tsx';
import { Crumbs } from './crumbs.tsx';
import { ScriptEditor } from './editor.tsx';
import { Jump } from './jump.tsx';
import { ScriptList } from './list.tsx';
import { useEvents, useLoaded } from './sources.ts';
import { useTabs } from './tabs.ts';
import { useScriptsForbidden } from './use-forbidden.ts';

export function ScriptsScreen() {
  const t = useText('scripts');
  const isHosted = useEnvironment()?.platform?.is_hosted === true;
  // OPEN-196, SCR-035: there is nothing to write scripts for.
  if (isHosted)
    return (
      <Page title={t('title')}>
        <Empty icon={IconCloudOff} title={t('hosted.title')} text={t('hosted.text')} />
      </Page>
    );
  return (
    <Routes>
      <Route index element={<EventsPage />} />
      <Route path="events/:service/:resource?/:endpoint?" element={<EventsPage />} />
      <Route path="all" element={<Loaded>{() => <ScriptList />}</Loaded>} />
      <Route path="edit/:name" element={<OpenedScript />} />
      <Route path="*" element={<Navigate to={base} replace />} />
    </Routes>
  );
}

/** Reads what every page of the section needs, and says why it cannot (SCR-019, SCR-021, SCR-029). */
function Loaded({
  children,
}: {
  children: (loaded: NonNullable<ReturnType<typeof useLoaded>['data']>) => React.ReactNode;
}) {
  const t = useText('scripts');
  const { data, error, retry } = useLoaded();
  const isRefused = useScriptsForbidden(error);
  const hasFailed = error !== null && !isForbidden(error);
  useEffect(() => {
    if (hasFailed) notify.error(t('title'), t('loadFailed'));
  }, [hasFailed, t]);
  if (data) return children(data);
  return (
    <Page title={t('title')}>
      {isRefused ? null : error ? <Failed error={error} title={t('loadFailed')} onRetry={retry} /> : <Loading />}
    </Page>
  );
}

function EventsPage() {
  const t = useText('scripts');
  const tabs = useTabs();
  const { service, resource, endpoint } = useParams();
  const level: Level = { service, resource, endpoint };
  // The events of a service are read when it is opened (C-SCR-05).
  if (useScriptsForbidden(useEvents(service).error)) return <Page title={t('title')}>{null}</Page>;
  return (
    <Loaded>
      {({ services, names }) => (
        <Page
          title={t('title')}
          count={names.length}
          tabs={tabs.map((tab) => (tab.to === base ? { ...tab, isCurrent: true } : tab))}
          actions={<Jump names={names} service={service} />}
        >
          <Crumbs level={level} />
          <Browser level={level} services={services} names={names} />
        </Page>
      )}
    </Loaded>
  );
}

function OpenedScript() {
  const { name = '' } = useParams();
  return <Loaded>{() => <ScriptEditor key={name} name={name} />}</Loaded>;
}
