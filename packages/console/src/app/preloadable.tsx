import { type ComponentType, lazy, useState } from 'react';

/** A component whose code comes when it is first shown, or before: then it is shown at once, without a fallback in between. */
export interface Preloadable {
  Component: ComponentType;
  /** Loads the code; the second time it is there already. Fails as the loading does. */
  preload: () => Promise<void>;
}

/** Makes a component of what `load` brings. */
export const preloadable = (load: () => Promise<ComponentType>): Preloadable => {
  let loaded: ComponentType | undefined;
  let loading: Promise<ComponentType> | undefined;
  const loadOnce = async (): Promise<ComponentType> => {
    try {
      loading ??= load();
      loaded = await loading;
      return loaded;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  const Lazy = lazy(async () => ({ default: await loadOnce() }));
  const Component = () => {
    // Chosen once: a page that is there is not taken down when its code turns out to be loaded.
    const [Content] = useState<ComponentType>(() => loaded ?? Lazy);
    return <Content />;
  };
  const preload = async () => {
    await loadOnce();
  };
  return { Component, preload };
};
