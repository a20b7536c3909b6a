import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { startPrefetching } from './prefetch.ts';
import { queryClient } from './api/client.ts';
import { preferredLanguage, activateLanguage } from './i18n/language.ts';
import { router } from './routes.tsx';
import { reloadAfterUpdate } from './shell/reload-after-update.ts';
import { registerServiceWorker } from './shell/register-service-worker.ts';
import { showStoredTheme } from './theme/theme.ts';
import './theme/font.css';
import './theme/tokens.css';
import './theme/base.css';

showStoredTheme();
// English is bundled; it is the fallback when a catalogue fails to load.
await activateLanguage(preferredLanguage()).catch(() => activateLanguage('en'));

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);

reloadAfterUpdate(router);
startPrefetching();
registerServiceWorker();
