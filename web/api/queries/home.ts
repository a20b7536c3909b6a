import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

/** The sections of the home page. `sections`: the setting of the user, so that a change loads them again. */
export const homeQuery = (since: number | undefined, sections: readonly string[]) =>
  queryOptions({
    queryKey: ['video', 'home', since, sections],
    queryFn: ({ signal }) => call('GET /api/home/', { query: since === undefined ? {} : { since }, signal }),
    placeholderData: keepPreviousData,
  });
