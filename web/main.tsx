import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { fetchAhead } from './ahead.ts';
import { queryClient } from './api/client.ts';
import { chosenLanguage, showLanguage } from './language/language.ts';
import { router } from './routes.tsx';
import { startWorker } from './shell/worker.ts';
import { showKeptTheme } from './theme/theme.ts';
import './theme/font.css';
import './theme/tokens.css';
import './theme/base.css';

showKeptTheme();
// A catalogue that cannot be fetched leaves English, which came along.
await showLanguage(chosenLanguage()).catch(() => showLanguage('en'));

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);

fetchAhead();
startWorker();
