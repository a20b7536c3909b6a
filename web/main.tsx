import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api/client.ts';
import { router } from './routes.tsx';
import { showKeptTheme } from './theme/theme.ts';
import './theme/font.css';
import './theme/tokens.css';
import './theme/base.css';

showKeptTheme();

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
