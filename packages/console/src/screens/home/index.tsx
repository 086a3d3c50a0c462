// Home: links to help, the way to the first call, and how this instance fares: services and their use, what was changed, jobs
// that failed, keys that nobody uses. Each part reads its own, is absent where the instance does not tell it, and fails alone.
import { useSession } from '../../api/index.ts';
import { CreateKeyButton } from '../../calls/index.ts';
import { useText } from '../../text/index.ts';
import { Page } from '../../ui/index.ts';
import { FailedJobs } from './failed-jobs.tsx';
import { Help } from './help.tsx';
import classes from './home.module.css';
import { InstanceFacts } from './instance-facts.tsx';
import { UnusedKeys } from './keys.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { Services } from './services.tsx';
import { SessionCalls } from './session-calls.tsx';
import { Steps } from './steps.tsx';

export { prefetchHome } from './sources.ts';

/** /home */
export const HomeScreen = () => {
  const t = useText('home');
  const session = useSession();
  const isAdmin = session?.is_sys_admin === true;
  return (
    <Page
      title={session?.first_name ? t('greeting', { name: session.first_name }) : t('title')}
      actions={<CreateKeyButton />}
    >
      <Help />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Steps />
          <Services />
          <RecentChanges />
          {!isAdmin && <SessionCalls />}
        </div>
        <div className={classes.main}>
          <FailedJobs />
          <UnusedKeys />
          <InstanceFacts />
        </div>
      </div>
    </Page>
  );
};
