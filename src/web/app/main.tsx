import { watchInstall } from '../api/device/install.ts';
import { startTheme } from '../ui/theme.ts';
import '../styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

startTheme();
watchInstall();
void start(root);

/** The sign-in page runs without the router. Which page a visitor sees, the server knows before the router does. */
async function start(element: HTMLElement): Promise<void> {
  if (element.dataset.page === '/login') {
    const { startLogin } = await import('./login-start.tsx');
    await startLogin(element);
    return;
  }
  const { startApp } = await import('./app-start.tsx');
  await startApp(element);
}
