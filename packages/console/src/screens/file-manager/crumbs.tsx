import { IconArrowUp } from '@tabler/icons-react';
import { type DragEvent, Fragment, useState } from 'react';
import { Link } from 'react-router';
import { type FolderDrop, foldersTo, isWithin, nameOf } from '../../files/index.ts';
import { useText } from '../../text/index.ts';
import type { FileAddress } from './address.ts';
import classes from './file-manager.module.css';

interface CrumbsProps {
  label: string;
  address: FileAddress;
  roots: readonly string[];
  dropping: FolderDrop;
}

/** The way from the service to the folder; those a person may not see are words. */
export function Crumbs({ label, address, roots, dropping }: CrumbsProps) {
  const t = useText('files');
  const { folder } = address;
  const steps = ['', ...foldersTo(folder)];
  const canOpen = (path: string) => roots.some((root) => isWithin(path, root)) || (path === '' && roots.length > 1);
  const above = steps.at(-2);
  // The title says it all.
  if (folder === '') return null;
  return (
    <nav className={classes.crumbs} aria-label={t('crumbs')}>
      {above !== undefined && canOpen(above) ? (
        <Link to={address.to({ folder: above })} className={classes.up} aria-label={t('up')} title={t('up')}>
          <IconArrowUp className={classes.smallIcon} aria-hidden />
        </Link>
      ) : null}
      <ol>
        {steps.map((path, index) => {
          const name = path === '' ? label : nameOf(path);
          const isLast = index === steps.length - 1;
          return (
            <Fragment key={path}>
              <li>
                {isLast ? (
                  <span aria-current="page">{name}</span>
                ) : canOpen(path) ? (
                  <Crumb name={name} to={address.to({ folder: path })} folder={path} dropping={dropping} />
                ) : (
                  <span>{name}</span>
                )}
              </li>
              {isLast ? null : (
                <li aria-hidden className={classes.slash}>
                  /
                </li>
              )}
            </Fragment>
          );
        })}
      </ol>
    </nav>
  );
}

function Crumb({ name, to, folder, dropping }: { name: string; to: string; folder: string; dropping: FolderDrop }) {
  const [isTarget, setTarget] = useState(false);
  const over = (event: DragEvent) => {
    if (!dropping.accepts(event, folder)) return;
    event.preventDefault();
    setTarget(true);
  };
  return (
    <Link
      to={to}
      data-target={isTarget || undefined}
      draggable={false}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false);
        if (!dropping.accepts(event, folder)) return;
        event.preventDefault();
        dropping.drop(event, folder);
      }}
    >
      {name}
    </Link>
  );
}
