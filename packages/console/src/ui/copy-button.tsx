import { ActionIcon, Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useText } from '../text/index.ts';
import classes from './copy-button.module.css';
import { notify } from './notify.ts';

interface CopyButtonProps {
  value: string;
  /** What is copied, for the label: "Copy the request id". */
  thing?: string;
  /** Shows words beside the icon. */
  label?: string;
}

const copiedFor = 1500;

/** Copies a text and says so. */
export const CopyButton = ({ value, thing, label }: CopyButtonProps) => {
  const t = useText('common');
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), copiedFor);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    if (await copyText(value)) setCopied(true);
    else notify.error(t('copy'), t('copyFailed'));
  };
  const name = isCopied ? t('copied') : thing ? t('copyThing', { thing }) : t('copy');
  const icon = isCopied ? (
    <IconCheck className={classes.icon} aria-hidden />
  ) : (
    <IconCopy className={classes.icon} aria-hidden />
  );
  if (label) {
    return (
      <Button variant="default" leftSection={icon} onClick={copy}>
        {isCopied ? t('copied') : label}
      </Button>
    );
  }
  return (
    <ActionIcon size="md" aria-label={name} title={name} onClick={copy}>
      {icon}
    </ActionIcon>
  );
};

/** Copies a text; without https a browser has no clipboard, so an old way is tried too. */
export const copyText = async (value: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = value;
    area.setAttribute('readonly', '');
    area.className = classes.offscreen!;
    const focused = document.activeElement;
    (document.querySelector('dialog[open], [role="dialog"]') ?? document.body).append(area);
    area.select();
    const isCopied = document.execCommand?.('copy') ?? false;
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
};
