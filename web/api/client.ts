import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './call.ts';

// What changed is told by the event stream; the rest may be half a minute old.
const freshMs = 30_000;

/** The one store of what the server said. The first word of every key is a room: `['video', 'list', …]`. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      retry: (failures, error) => error instanceof ApiError && error.status === 0 && failures < 3,
      retryDelay: 1000,
      // A device without a network may be the server itself, and else it is to be told: nothing waits without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Asks again for everything of these rooms; done when what is shown of them is there. */
export const askAgain = (...rooms: string[]) =>
  Promise.all(rooms.map((room) => queryClient.invalidateQueries({ queryKey: [room] })));
