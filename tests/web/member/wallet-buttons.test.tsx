import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { site } from '../../../src/web/api/site.ts';
import { WalletButtons } from '../../../src/web/member/card/wallet-buttons.tsx';
import { stubServer } from '../../support/web/member-app.tsx';

test('where the venue offers no passes, there is no button', () => {
  const { container } = render(<WalletButtons />);
  expect(container.textContent).toBe('');
});

test('Apple: a link that the phone opens by itself', () => {
  site.wallets = ['apple'];
  render(<WalletButtons />);
  const link = screen.getByRole('link', { name: 'Add to Apple Wallet' });
  expect(link.getAttribute('href')).toBe('/api/wallet-passes/apple');
  expect(screen.queryByRole('button')).toBeNull();
});

test('Google: a link is made, and opened', async () => {
  const url = 'https://pay.google.com/gp/v/save/a.b.c';
  stubServer({ 'POST /api/wallet-passes/google': { url } });
  site.wallets = ['google'];
  const leave = vi.spyOn(window.location, 'assign').mockReturnValue(undefined);
  render(<WalletButtons />);
  await userEvent.click(screen.getByRole('button', { name: 'Add to Google Wallet' }));
  expect(leave).toHaveBeenCalledExactlyOnceWith(url);
});
