import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';

const root = createRootRoute({ component: Outlet });
const page = createRoute({ getParentRoute: () => root, path: '/', component: () => <h1>Bare page</h1> });
const router = createRouter({ routeTree: root.addChildren([page]) });

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no #root');
createRoot(element).render(<RouterProvider router={router} />);
