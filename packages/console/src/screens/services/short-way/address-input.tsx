import { Button, TextInput } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import { useText } from '../../../text/index.ts';
import { maxAddressLength } from './connection-address.ts';
import classes from './short-way.module.css';

interface AddressInputProps {
  /** Takes an address; true when it was understood, which empties the input: it may hold a password. */
  onAddress: (address: string) => boolean;
  /** Why the last one was not taken. */
  problem: string | null;
  /** The text was changed: what was said of it is said of another. */
  onEdit: () => void;
}

/** Where an address is pasted. It stays in this input alone: no draft, address bar or log has it. */
export function AddressInput({ onAddress, problem, onEdit }: AddressInputProps) {
  const t = useText('services');
  const [address, setAddress] = useState('');
  const take = (text: string) => {
    if (onAddress(text)) setAddress('');
    else setAddress(text);
  };
  /** A whole address that is pasted is taken at once; pieces are joined by hand. */
  const takePasted = (event: ClipboardEvent<HTMLInputElement>) => {
    if (address !== '') return;
    event.preventDefault();
    take(event.clipboardData.getData('text').trim().slice(0, maxAddressLength));
  };
  return (
    <TextInput
      label={t('shortWay.address')}
      placeholder="postgres://user:password@host:5432/database"
      value={address}
      onChange={(event) => {
        setAddress(event.currentTarget.value);
        onEdit();
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        take(address);
      }}
      onPaste={takePasted}
      error={problem}
      inputContainer={(input) => (
        <div className={classes.address}>
          <div className={classes.addressInput}>{input}</div>
          <Button variant="default" onClick={() => take(address)}>
            {t('shortWay.fill')}
          </Button>
        </div>
      )}
      maxLength={maxAddressLength}
      classNames={{ input: classes.mono ?? '' }}
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
    />
  );
}
