import { Link } from 'react-router';
import { ServiceTypeIcon } from '../ui/index.ts';
import classes from './service-cards.module.css';
import type { DatabaseService } from './sources.ts';

/** The services one can choose from, as links. */
export const ServiceCards = ({
  services,
  addressOf,
}: {
  services: DatabaseService[];
  addressOf: (service: string) => string;
}) => (
  <ul className={classes.services}>
    {services.map(({ name, label, description, type }) => (
      <li key={name}>
        <Link to={addressOf(name)} className={classes.service}>
          <ServiceTypeIcon type={type} group="Database" size="large" />
          <span className={classes.serviceWords}>
            <strong>{label || name}</strong>
            <span className={classes.soft}>{description || name}</span>
          </span>
        </Link>
      </li>
    ))}
  </ul>
);
