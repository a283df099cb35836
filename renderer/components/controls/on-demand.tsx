import { useEffect, useLayoutEffect, useRef, useSyncExternalStore, type ComponentType } from 'react';
import { whenTextsAreLoaded } from '../../i18n/catalogue.ts';
import { keepKeys, type KeptKeys } from '../keyboard/keep-keys.ts';

/** The loads of all components on demand, in the order of their declaration. */
const loads = new Set<() => Promise<void>>();

/** Loads all components on demand, one after the other, when the window has nothing else to do. */
export const loadAllWhenIdle = (): void => {
  const [next] = loads;
  if (next === undefined) return;
  loads.delete(next);
  requestIdleCallback(() => void next().then(loadAllWhenIdle));
};

/**
 * A component that is loaded after the first screen, with all texts: soon afterwards, or when it is first drawn. Once
 * loaded it is drawn at once; `lazy` would show a fallback first, for 300 ms. Throws what the load rejects with.
 */
const onDemand = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  takesKeys: boolean,
): ComponentType<P> => {
  type State = { component: ComponentType<P> | null; failure: Error | null };
  let state: State = { component: null, failure: null };
  let loading: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const loadOnce = async (): Promise<void> => {
    try {
      const [component] = await Promise.all([load(), whenTextsAreLoaded()]);
      state = { component, failure: null };
    } catch (error) {
      state = { component: null, failure: error instanceof Error ? error : new Error(String(error)) };
    }
    for (const listener of listeners) listener();
  };
  const start = (): Promise<void> => (loading ??= loadOnce());
  loads.add(start);
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    void start();
    return () => listeners.delete(listener);
  };
  return props => {
    const { component: Loaded, failure } = useSyncExternalStore(subscribe, () => state);
    const keys = useRef<KeptKeys | null>(null);
    const isWaiting = Loaded === null;
    useLayoutEffect(() => {
      if (!isWaiting || !takesKeys) return undefined;
      const kept = keepKeys();
      keys.current = kept;
      return kept.stop;
    }, [isWaiting]);
    // After the effects of the loaded component, which move the focus.
    useEffect(() => {
      if (!isWaiting) void keys.current?.apply();
    }, [isWaiting]);
    if (failure !== null) throw failure;
    return Loaded === null ? null : <Loaded {...props} />;
  };
};

type PropsOf<C> = C extends ComponentType<infer P extends object> ? P : never;

const exportOnDemand =
  (takesKeys: boolean) =>
  <Name extends string, Module extends Readonly<Record<Name, ComponentType<never>>>>(
    load: () => Promise<Module>,
    name: Name,
  ) =>
    onDemand(async () => (await load())[name] as ComponentType<PropsOf<Module[Name]>>, takesKeys);

/** A part of a screen: keys that are pressed while it is loaded are not for it. */
export const partOnDemand = exportOnDemand(false);

/** A screen or a dialog: it gets the keys that are pressed while it is loaded. */
export const screenOnDemand = exportOnDemand(true);
