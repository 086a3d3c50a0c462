import { useEffect, useRef, useState } from 'react';

/** A wish to see what is wrong: from the beginning of the table, or after the cell one is at. */
export interface WrongLead {
  times: number;
  from: 'start' | 'here';
}

export function useWrongLeads() {
  const [wrongLead, setLead] = useState<WrongLead>({ times: 0, from: 'start' });
  return {
    wrongLead,
    leadToWrong: (from: WrongLead['from']) => setLead(({ times }) => ({ times: times + 1, from })),
  };
}

/** Runs `show` for each wish; one from before this was on the screen is over. */
export function useWrongLead(wrongLead: WrongLead, show: (from: WrongLead['from']) => void): void {
  const shown = useRef(wrongLead.times);
  useEffect(() => {
    if (shown.current === wrongLead.times) return;
    shown.current = wrongLead.times;
    show(wrongLead.from);
  });
}
