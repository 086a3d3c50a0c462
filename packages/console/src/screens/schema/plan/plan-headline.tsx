import { IconAlertTriangle, IconBan, IconCloudOff, IconEye, type IconProps, IconTrashX } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Headline } from './headline.ts';
import classes from './plan.module.css';

const icons: Record<Headline['tone'], ComponentType<IconProps>> = {
  refused: IconBan,
  loss: IconTrashX,
  warning: IconAlertTriangle,
  calm: IconEye,
  failed: IconCloudOff,
};

export function PlanHeadline({ headline: { text, tone } }: { headline: Headline }) {
  const Icon = icons[tone];
  return (
    <span className={classes.headline} data-tone={tone}>
      <Icon className={classes.icon} aria-hidden />
      <span className={classes.headlineText}>{text}</span>
    </span>
  );
}
