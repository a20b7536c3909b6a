import { createContext } from 'react';

/** Name of the settings page, shown as its heading. */
export const PageName = createContext('');
