import { IconArrowLeft } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { useText } from '../../text/index.ts';
import { above, type Level, levelAddress } from './address.ts';
import { nameBelow } from './names/events.ts';
import classes from './scripts.module.css';

interface CrumbsProps {
  level: Level;
  /** The script that is open below the level. */
  script?: string;
}

/** The way down to where one is: each level above is a jump, and one step back stands before it (SCR-003, OPEN-193). */
export function Crumbs({ level, script }: CrumbsProps) {
  const t = useText('scripts');
  const { service, resource, endpoint } = level;
  const places: { label: string; title: string; level: Level }[] = [
    { label: t('title'), title: t('title'), level: {} },
  ];
  if (service) places.push({ label: service, title: service, level: { service } });
  if (service && resource)
    places.push({ label: nameBelow(resource, service), title: resource, level: { service, resource } });
  if (service && resource && endpoint) places.push({ label: nameBelow(endpoint, resource), title: endpoint, level });
  const isScript = script !== undefined;
  const back = isScript ? level : above(level);
  // At the top the title says it all.
  if (places.length === 1 && !isScript) return null;
  return (
    <nav className={classes.crumbs} aria-label={t('crumbs')}>
      <Link to={levelAddress(back)} className={classes.back}>
        <IconArrowLeft className={classes.smallIcon} aria-hidden />
        {t('back')}
      </Link>
      <ol>
        {places.map((place, index) => {
          const isHere = !isScript && index === places.length - 1;
          return (
            <Fragment key={place.title}>
              {index > 0 ? (
                <li aria-hidden className={classes.slash}>
                  /
                </li>
              ) : null}
              <li>
                {isHere ? (
                  <span aria-current="page" title={place.title}>
                    {place.label}
                  </span>
                ) : (
                  <Link to={levelAddress(place.level)} title={place.title}>
                    {place.label}
                  </Link>
                )}
              </li>
            </Fragment>
          );
        })}
        {isScript ? (
          <>
            <li aria-hidden className={classes.slash}>
              /
            </li>
            <li>
              <span aria-current="page">{script}</span>
            </li>
          </>
        ) : null}
      </ol>
    </nav>
  );
}
