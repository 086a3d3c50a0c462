import {
  IconAddressBook,
  IconApi,
  IconBell,
  IconBolt,
  IconBook,
  IconBrandAws,
  IconBrandMongodb,
  IconBrandMysql,
  IconBrandNodejs,
  IconBrandPhp,
  IconBrandPython,
  IconCode,
  IconDatabase,
  IconFeather,
  IconFolder,
  IconGauge,
  IconGitBranch,
  IconKey,
  IconLogs,
  IconMail,
  IconPlugConnected,
  type IconProps,
  IconRouter,
  IconSettings,
  IconStack2,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import classes from './service-type-icon.module.css';

type Icon = ComponentType<IconProps>;

/** Types that are known by a picture of their own. */
const iconsOfTypes = new Map<string, Icon>([
  ['sqlite', IconFeather],
  ['pgsql', IconDatabase],
  ['memsql', IconDatabase],
  ['mysql', IconBrandMysql],
  ['mongodb', IconBrandMongodb],
  ['aws_redshift_db', IconBrandAws],
  ['aws_s3', IconBrandAws],
  ['nodejs', IconBrandNodejs],
  ['php', IconBrandPhp],
  ['python', IconBrandPython],
  ['rws', IconApi],
  ['system', IconSettings],
  ['user', IconUsers],
]);

/** Every group of contract/service-types.md §1. */
const iconsOfGroups = new Map<string, Icon>([
  ['API Doc', IconBook],
  ['Cache', IconStack2],
  ['Database', IconDatabase],
  ['Email', IconMail],
  ['Event', IconBolt],
  ['File', IconFolder],
  ['IoT', IconRouter],
  ['LDAP', IconAddressBook],
  ['Limit', IconGauge],
  ['Notification', IconBell],
  ['OAuth', IconKey],
  ['Remote Service', IconWorld],
  ['Source Control', IconGitBranch],
  ['Script', IconCode],
  ['System', IconSettings],
  ['User', IconUsers],
  ['Log', IconLogs],
  ['SSO', IconKey],
]);

interface ServiceTypeIconProps {
  /** The name of the service type. */
  type: string | null | undefined;
  /** Its group, where it is known: it decides for types without a picture of their own. */
  group?: string | null | undefined;
  /** `large` stands beside two lines of text, `medium` (the usual one) in a line. */
  size?: 'medium' | 'large';
}

/** What a service is, at a glance. Its words stand beside it, so a screen reader reads nothing twice. */
export const ServiceTypeIcon = ({ type, group, size = 'medium' }: ServiceTypeIconProps) => {
  const TypeIcon = iconOfType(type, group);
  return <TypeIcon className={classes.icon!} data-size={size} aria-hidden stroke={1.6} />;
};

/** The picture of a type: its own, that of its group, or a plug. */
export const iconOfType = (type: string | null | undefined, group?: string | null): Icon =>
  iconsOfTypes.get(type ?? '') ?? iconsOfGroups.get(group ?? '') ?? IconPlugConnected;
