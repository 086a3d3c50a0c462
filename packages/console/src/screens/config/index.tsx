// Config: what the instance runs on, its cache, CORS rules, e-mail templates, global lookup keys and live chat. sections.ts lists the tabs in their
// order; a tab is a file of its own, those with entries (rules, templates, keys) share entries.tsx.
import { Navigate, NavLink, Route, Routes, useParams } from 'react-router';
import { isForbidden, useForbidden } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { Failed, Loading, NotAllowed, Page, useScrollToCurrentTab } from '../../ui/index.ts';
import { CacheTab } from './cache.tsx';
import { ChatTab } from './chat.tsx';
import classes from './config.module.css';
import { CorsTab } from './cors.tsx';
import { LookupsTab } from './lookups.tsx';
import { type LoadedSection, type SectionName, useSections } from './sections.ts';
import { SystemInfoTab } from './system-info.tsx';
import { TemplatesTab } from './templates.tsx';

const bodies: Record<SectionName, (props: { section: LoadedSection }) => React.ReactNode> = {
  environment: SystemInfoTab,
  cache: CacheTab,
  cors: CorsTab,
  emailTemplate: TemplatesTab,
  lookup: LookupsTab,
  chat: ChatTab,
};

export const ConfigScreen = () => (
  <Routes>
    <Route index element={<Config />} />
    <Route path=":tab/:id?" element={<Config />} />
  </Routes>
);

const permissionTexts = {
  resources: 'system/environment, system/cache, system/cors, system/email_template, and system/lookup',
  things: 'lookup keys',
};

/** The section of the address, beside the list of those that loaded (CFG-001…003). */
function Config() {
  const t = useText('config');
  const { tab } = useParams();
  const sections = useSections();
  const listed = sections.filter(({ query }) => query.data !== undefined);
  const tabRow = useScrollToCurrentTab(listed.length);
  const isLoading = sections.some(({ query }) => query.isPending);
  const failure = listed.length === 0 && !isLoading ? (sections[0]?.query.error ?? null) : null;
  const isForbidden = useForbidden(failure, t('title'), 'lookup', permissionTexts);
  if (failure) {
    const retry = () => sections.forEach(({ query }) => void query.refetch());
    return (
      <Page title={t('heading')}>
        {isForbidden ? null : <Failed error={failure} title={t('failed')} onRetry={retry} />}
      </Page>
    );
  }
  const section = sections.find(({ path }) => path === tab);
  if (!section) {
    const first = listed[0];
    // The first of those that loaded: which that is shows when all have answered.
    if (first && !isLoading) return <Navigate to={`/config/${first.path}`} replace />;
  }
  const Body = section && section.query.data !== undefined ? bodies[section.name] : undefined;
  return (
    <Page title={t('heading')}>
      <div className={classes.config}>
        <nav ref={tabRow} className={classes.tabs} aria-label={t('heading')}>
          {listed.map(({ name, path }) => (
            <NavLink key={name} to={`/config/${path}`} className={classes.tab ?? ''}>
              {t(`tabs.${name}`)}
            </NavLink>
          ))}
        </nav>
        <div className={classes.body}>
          {section && Body ? (
            <Body section={section} />
          ) : section?.query.error ? (
            <NotLoaded section={section} />
          ) : (
            <Loading shape="form" />
          )}
        </div>
      </div>
    </Page>
  );
}

/** A tab that its address names and that could not be loaded: it is not listed, but shows why. */
function NotLoaded({ section: { resource, query } }: { section: LoadedSection }) {
  const t = useText('config');
  if (isForbidden(query.error)) return <NotAllowed text={t('notAllowed', { resource })} />;
  return <Failed error={query.error} title={t('failed')} onRetry={() => void query.refetch()} />;
}
