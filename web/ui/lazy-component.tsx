import { useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react';

/**
 * Returns a component whose code is loaded when it is first rendered; until then it renders `fallback`. Unlike `React.lazy` it
 * needs no Suspense, whose content React shows no earlier than 300 ms after the last fallback of the page.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props & { fallback?: ReactNode }> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyComponent({ fallback, ...props }) {
    const [Loaded, setLoaded] = useState(() => loaded);
    useLayoutEffect(() => {
      if (Loaded) return;
      load().then(
        (component) => {
          loaded = component;
          setLoaded(() => component);
        },
        (error: unknown) =>
          // For the error boundary, as if the code of the component had thrown it.
          setLoaded(() => {
            throw error;
          }),
      );
    }, [Loaded]);
    return Loaded ? <Loaded {...(props as unknown as Props)} /> : fallback;
  };
}
