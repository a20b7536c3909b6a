import { useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react';

const retryMs = 10_000;

/**
 * Returns a component whose code is loaded when it is first rendered; until then it renders `fallback`. Unlike `React.lazy` it
 * needs no Suspense, whose content React shows no earlier than 300 ms after the last fallback of the page.
 *
 * When the code cannot be loaded, the page is replaced with a report. An optional part, for which the user has not asked, stays away
 * instead, and is tried again.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  need?: 'optional',
): ComponentType<Props & { fallback?: ReactNode }> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyComponent({ fallback, ...props }) {
    const [Loaded, setLoaded] = useState(() => loaded);
    useLayoutEffect(() => {
      const attempt = () =>
        void load().then(
          (component) => {
            loaded = component;
            setLoaded(() => component);
          },
          (error: unknown) => {
            if (need === 'optional') setTimeout(attempt, retryMs);
            // For the error boundary, as if the code of the component had thrown it.
            else
              setLoaded(() => {
                throw error;
              });
          },
        );
      if (!Loaded) attempt();
    }, [Loaded]);
    return Loaded ? <Loaded {...(props as unknown as Props)} /> : fallback;
  };
}
