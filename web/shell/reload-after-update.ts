import { connection } from '#web/api/connection.ts';
import { mediaElement } from '#web/player/state/player-store.ts';
import type { createBrowserRouter } from 'react-router';

/**
 * After an update of the server, the next page is loaded from the server: code of the old version that is not loaded yet no longer
 * exists. A video that is playing is not interrupted.
 */
export function reloadAfterUpdate({ state, subscribe, createHref }: ReturnType<typeof createBrowserRouter>) {
  let path = state.location.pathname;
  subscribe(({ navigation, location: current }) => {
    const next = navigation.location ?? current;
    if (next.pathname === path) return;
    path = next.pathname;
    if (connection.get().isOutdated && mediaElement()?.paused !== false) location.assign(createHref(next));
  });
}
