import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '../../text/index.ts';
import { SuggestInput } from '../../ui/index.ts';
import { scriptAddress } from './address.ts';
import { nameProblem } from './names/events.ts';
import classes from './scripts.module.css';
import { useEvents } from './sources.ts';

interface JumpProps {
  /** Names of all scripts. */
  names: readonly string[];
  /** The service that is open: its events are offered, too. */
  service: string | undefined;
}

/** Goes to a script by its name: one that is there, an event, or any name one may type (SCR-003). */
export function Jump({ names, service }: JumpProps) {
  const t = useText('scripts');
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { data: tree } = useEvents(service);
  const known = useMemo(() => {
    const events = Object.values(tree ?? {}).flatMap(({ endpoints }) => endpoints);
    return [...new Set([...names, ...events])];
  }, [names, tree]);
  const problem = nameProblem(name.trim());
  const go = (target: string) => {
    if (nameProblem(target)) return setWrong(true);
    setName('');
    navigate(scriptAddress(target));
  };
  return (
    <form
      className={classes.jump}
      onSubmit={(event) => {
        event.preventDefault();
        go(name.trim());
      }}
    >
      <SuggestInput
        aria-label={t('jump.label')}
        placeholder={t('jump.placeholder')}
        data={known}
        value={name}
        isLoading={false}
        error={isWrong && problem ? t(`name.${problem}`) : undefined}
        onChange={(text) => {
          setWrong(false);
          setName(text);
        }}
        onOptionSubmit={go}
        autoCapitalize="off"
      />
    </form>
  );
}
