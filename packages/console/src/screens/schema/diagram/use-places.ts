// Where the boxes of the diagram stand: laid out, kept, moved.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '../../../api/index.ts';
import type { Box, FieldChoice, Point } from './boxes.ts';
import type { Places } from './layout/lay-out.ts';
import { runLayout } from './layout/run-layout.ts';
import { type DiagramModel, neighboursOf } from './model.ts';
import { placeAll, placesStore } from './places.ts';

/** Milliseconds after the last move until the places are kept. */
const saveDelay = 300;

interface UsePlacesOptions {
  service: string;
  choice: FieldChoice;
  /** The table whose neighbourhood is drawn, with its depth; null: all tables, whose places are kept. */
  scope: string | null;
  model: DiagramModel;
  /** Null: nothing is drawn. */
  boxes: ReadonlyMap<string, Box> | null;
}

/** The places of the boxes, null until they are laid out; `round` counts how often that was done. */
export function usePlaces({ service, choice, scope, model, boxes }: UsePlacesOptions) {
  const person = useSession()?.id;
  const store = useMemo(
    () => (scope === null ? placesStore(person, service, choice) : null),
    [person, service, choice, scope],
  );
  const key = JSON.stringify([choice, scope]);
  const [state, setState] = useState<{ key: string; places: Places | null; round: number }>({
    ...{ key, places: null, round: 0 },
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: places that exist are looked at, not waited for
  useEffect(() => {
    if (!boxes) return;
    const earlier = state.key === key ? (state.places ?? store?.read()) : store?.read();
    if (earlier && [...earlier.keys()].some((name) => boxes.has(name))) {
      const places = placeAll(boxes, earlier, (name) => neighboursOf(model, name));
      setState(({ round, key: oldKey, places: before }) => ({
        ...{ key, places },
        round: before && oldKey === key ? round : round + 1,
      }));
      return;
    }
    const leaving = new AbortController();
    const request = {
      boxes: [...boxes].map(([name, { width, height }]) => ({ name, width, height })),
      lines: model.lines
        .filter(({ from, to }) => boxes.has(from.table) && boxes.has(to.table))
        .map(({ from, to }): [string, string] => [from.table, to.table]),
    };
    void runLayout(request, leaving.signal).then((places) => {
      if (leaving.signal.aborted) return;
      setState(({ round }) => ({ key, places, round: round + 1 }));
    });
    return () => leaving.abort();
  }, [boxes, key, store, state.places === null]);

  const places = state.key === key ? state.places : null;
  const save = useRef(() => {});
  save.current = () => places && store?.write(places);
  // Not with every step of a move.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `save` writes the latest
  useEffect(() => {
    const timer = setTimeout(() => save.current(), saveDelay);
    return () => clearTimeout(timer);
  }, [places, store]);
  useEffect(() => {
    const saveNow = () => save.current();
    window.addEventListener('pagehide', saveNow);
    return () => {
      window.removeEventListener('pagehide', saveNow);
      saveNow();
    };
  }, []);
  const move = useCallback(
    (name: string, place: Point) =>
      setState((current) =>
        current.places ? { ...current, places: new Map(current.places).set(name, place) } : current,
      ),
    [],
  );
  return {
    places,
    round: state.round,
    move,
    layOutAgain: () => {
      store?.forget();
      setState(({ round }) => ({ key, places: null, round }));
    },
  };
}
