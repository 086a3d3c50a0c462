import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import { canRefresh, type ScriptLink, scriptSource } from '../inputs/script-files.ts';
import type { LinkableService } from './sources.ts';

/** What a linked script says where it lives: read when its editor opens and when asked; never part of the form (SCR-015). */
export function usePull(link: ScriptLink, service: LinkableService | undefined, title: string) {
  const t = useText('fields');
  const [content, setContent] = useState('');
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController | null>(null);
  const isReady = canRefresh(link, service?.type);

  const pull = async (isAsked: boolean) => {
    if (!service || !isReady) return;
    running.current?.abort();
    const reading = new AbortController();
    running.current = reading;
    setRunning(true);
    const { path, query } = scriptSource(link, service);
    try {
      setContent(await api.get<string>(path, { query, as: 'text', signal: reading.signal }));
      if (isAsked) notify.success(t('script.pulled'), title);
    } catch {
      if (!reading.signal.aborted) notify.error(title, t('script.pullFailed'));
    } finally {
      if (running.current === reading) setRunning(false);
    }
  };

  // A link that was there when the editor opened.
  const isOpening = useRef(isLinkOf(link));
  const latest = useRef(pull);
  latest.current = pull;
  useEffect(() => {
    if (!isReady || !isOpening.current) return;
    isOpening.current = false;
    void latest.current(false);
  }, [isReady]);
  useEffect(() => () => running.current?.abort(), []);
  // Another service, another text.
  const linkedTo = link.storage_service_id;
  const shownOf = useRef(linkedTo);
  useEffect(() => {
    if (shownOf.current === linkedTo) return;
    shownOf.current = linkedTo;
    isOpening.current = false;
    running.current?.abort();
    setContent('');
  }, [linkedTo]);
  return { content, isReady, isRunning, pull: () => void pull(true) };
}

const isLinkOf = ({ storage_service_id }: ScriptLink) => Boolean(storage_service_id);
