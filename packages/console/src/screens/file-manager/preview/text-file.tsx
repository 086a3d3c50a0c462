import { Alert, Button, Group } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, api } from '../../../api/index.ts';
import { SidePane } from '../../../database/index.ts';
import { type FileItem, filePath, languageOf, trimSlashes } from '../../../files/index.ts';
import { useText } from '../../../text/index.ts';
import { CodeEditor, describeError, Loading, notify } from '../../../ui/index.ts';
import { DraftNotice, useDraft, useUnsavedGuard } from '../../../unsaved/index.ts';
import type { FolderWork } from '../use-folder-work.ts';
import { decodeText, encodeText, type FileContent, readContent, type TextContent } from './content.ts';
import classes from './preview.module.css';

interface TextFileProps {
  service: string;
  item: FileItem;
  content: FileContent;
  note: ReactNode;
  buttons: ReactNode;
  work: FolderWork;
  onClose: () => void;
}

/** A text in the code editor, once it is decoded. */
export function TextFile(props: TextFileProps) {
  const [decoded, setDecoded] = useState<TextContent | null>(null);
  const { blob } = props.content;
  useEffect(() => {
    let isCurrent = true;
    void decodeText(blob).then((text) => isCurrent && setDecoded(text));
    return () => {
      isCurrent = false;
    };
  }, [blob]);
  return decoded ? (
    <TextEditor {...props} decoded={decoded} />
  ) : (
    <SidePane title={props.item.name} note={props.note} onClose={props.onClose} onSave={null} actions={props.buttons}>
      <Loading shape="form" count={3} />
    </SidePane>
  );
}

function TextEditor({
  service,
  item,
  content,
  decoded,
  note,
  buttons,
  work,
  onClose,
}: TextFileProps & { decoded: TextContent }) {
  const t = useText('files');
  const common = useText('common');
  const [saved, setSaved] = useState({ text: decoded.text, etag: content.etag });
  const [typed, setTyped] = useState(decoded.text);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** What someone else has stored meanwhile; null for nothing, or for a file that is gone. */
  const [theirs, setTheirs] = useState<{ content: FileContent; text: string } | 'gone' | null>(null);
  const isDirty = typed !== saved.text && !decoded.isReadOnly;

  const showTheirs = async () => {
    try {
      const now = await readContent(service, item.path);
      setTheirs({ content: now, text: (await decodeText(now.blob)).text });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      setTheirs('gone');
    }
  };

  /** Stores what is typed on top of the version with this tag; `null` for a storage that has none, `any` for over everything. */
  const store = async (etag: string | null | 'any'): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setProblem(null);
    try {
      if (etag === null) {
        // No tag to compare by: the text itself tells whether it is still the one that was read.
        const now = await decodeText((await readContent(service, item.path)).blob);
        if (now.text !== saved.text) {
          await showTheirs();
          return false;
        }
      }
      const headers = {
        'Content-Type': 'application/octet-stream',
        ...(etag === null || etag === 'any' ? {} : { 'If-Match': etag }),
      };
      await api.put(filePath(service, item.path), { body: encodeText(typed, decoded.lineEnd), headers });
      const now = await readContent(service, item.path);
      setSaved({ text: typed, etag: now.etag });
      setTheirs(null);
      draft.forget();
      notify.success(t('text.saved', { name: item.name }));
      void work.actions.refresh();
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 412)
        await showTheirs().catch((second) => setProblem(describeError(second).messages.join(' ')));
      else setProblem(describeError(error).messages.join(' '));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const save = () => store(saved.etag);

  const draft = useDraft({
    form: `file.${service}/${item.path}`,
    title: { key: 'files:draftTitle', values: { name: item.name } },
    address: location.pathname + location.search,
    version: saved.etag,
    isDirty,
    typed,
    toDraft: () => ({ text: typed }),
  });
  useUnsavedGuard({
    isDirty,
    isLostBetween: (from, to) =>
      isDirty &&
      (from.pathname !== to.pathname || trimSlashes(new URLSearchParams(to.search).get('open') ?? '') !== item.path),
    question: () => ({ message: t('text.leave', { name: item.name }) }),
    save,
    discard: draft.forget,
  });

  const takeTheirs = () => {
    if (theirs === null || theirs === 'gone') return;
    setTyped(theirs.text);
    setSaved({ text: theirs.text, etag: theirs.content.etag });
    setTheirs(null);
    draft.forget();
  };

  return (
    <SidePane
      title={item.name}
      note={note}
      onClose={onClose}
      onSave={isDirty ? () => void save() : null}
      problem={problem ?? undefined}
      actions={
        <>
          {decoded.isReadOnly ? null : (
            <Button size="xs" disabled={!isDirty} loading={isBusy} onClick={() => void save()}>
              {common('save')}
            </Button>
          )}
          {buttons}
          {isDirty ? <span className={classes.unsaved}>{common('unsavedMark')}</span> : null}
        </>
      }
    >
      {draft.found ? (
        <DraftNotice
          isOld={draft.found.version !== undefined && draft.found.version !== content.etag}
          restore={() => {
            setTyped(draft.found?.values.text ?? typed);
            draft.dismiss();
          }}
          discard={draft.forget}
        />
      ) : null}
      {decoded.isReadOnly ? (
        <Alert color="yellow" variant="light" role="note">
          {t('text.readOnly')}
        </Alert>
      ) : null}
      {theirs ? (
        <Alert
          color="yellow"
          variant="light"
          role="alert"
          title={t(theirs === 'gone' ? 'text.goneTitle' : 'text.staleTitle')}
        >
          <p className={classes.line}>{t(theirs === 'gone' ? 'text.gone' : 'text.stale')}</p>
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => void store(theirs === 'gone' ? 'any' : (theirs.content.etag ?? 'any'))}
            >
              {t(theirs === 'gone' ? 'text.storeAgain' : 'text.keepMine')}
            </Button>
            {theirs === 'gone' ? null : (
              <Button size="compact-sm" variant="default" onClick={takeTheirs}>
                {t('text.takeTheirs')}
              </Button>
            )}
          </Group>
        </Alert>
      ) : null}
      <div className={classes.editors}>
        <CodeEditor
          label={t('text.label', { name: item.name })}
          value={typed}
          onChange={setTyped}
          language={languageOf(item.name) ?? ''}
          readOnly={decoded.isReadOnly}
          height={theirs && theirs !== 'gone' ? '45%' : '100%'}
        />
        {theirs && theirs !== 'gone' ? (
          <>
            <p className={classes.line}>{t('text.theirs')}</p>
            <CodeEditor
              label={t('text.theirsLabel', { name: item.name })}
              value={theirs.text}
              language={languageOf(item.name) ?? ''}
              readOnly
              height="45%"
            />
          </>
        ) : null}
      </div>
    </SidePane>
  );
}
