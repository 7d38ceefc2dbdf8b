import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import jsQR from 'jsqr';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Glasses } from '../../../src/web/brand/glasses.tsx';
import { AlertDialog } from '../../../src/web/ui/alert-dialog.tsx';
import { Button } from '../../../src/web/ui/button.tsx';
import { qrMatrix, quietZone } from '../../../src/web/ui/qr-matrix.ts';
import { TextField } from '../../../src/web/ui/text-field.tsx';
import { startTheme, themeSetting, useDarkByDefault } from '../../../src/web/ui/theme.ts';
import { toast, toastStore } from '../../../src/web/ui/toast.ts';
import { ToastRegion } from '../../../src/web/ui/toast-region.tsx';
import { useWakeLock } from '../../../src/web/ui/use-wake-lock.ts';

afterEach(() => {
  toast.dismiss();
});

test('a busy button keeps the focus, says so, and submits nothing', async () => {
  const submit = vi.fn();
  render(
    <form onSubmit={submit}>
      <Button type="submit" busy busyLabel="Signing in...">
        Sign In
      </Button>
    </form>,
  );
  const button = screen.getByRole('button', { name: 'Signing in...' });
  await userEvent.click(button);
  expect(submit).not.toHaveBeenCalled();
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(button);
});

test('hint and error of a field are tied to its control', () => {
  render(<TextField label="Quantity" hint="At most 7" error="Please enter a number" />);
  const input = screen.getByLabelText('Quantity');
  const described = input.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
    'Please enter a number',
    'At most 7',
  ]);
  expect(input.getAttribute('aria-invalid')).toBe('true');
});

describe('a toast', () => {
  test('is replaced by the next outcome of the same act', () => {
    render(<ToastRegion />);
    act(() => {
      toast.success('Pour recorded successfully!', { act: 'a' });
      toast.success('Found: Ada Vine', { act: 'b' });
      toast.error('Failed to undo pour', { act: 'a' });
    });
    screen.getByText('Failed to undo pour');
    screen.getByText('Found: Ada Vine');
    expect(screen.queryByText('Pour recorded successfully!')).toBeNull();
  });

  test('disappears with its page; one about the next page disappears with that one', () => {
    render(<ToastRegion />);
    act(() => {
      toast.info('Progress saved');
      toast.success('Welcome back!', { nextPage: true });
      toast.leavePage();
    });
    expect(screen.queryByText('Progress saved')).toBeNull();
    screen.getByText('Welcome back!');
    // The next page redirects to another.
    act(() => toast.leavePage(true));
    screen.getByText('Welcome back!');
    act(() => toast.leavePage());
    expect(screen.queryByText('Welcome back!')).toBeNull();
  });

  test('appears alone on a phone, the newest first, while the others wait', () => {
    const onChange = { addEventListener: vi.fn(), removeEventListener: vi.fn() };
    vi.stubGlobal('matchMedia', () => ({ matches: true, ...onChange }));
    render(<ToastRegion />);
    act(() => {
      toast.error('Not recorded: Ada Vine');
      toast.success('Found: Ben Ito');
    });
    screen.getByText('Found: Ben Ito');
    expect(screen.queryByText('Not recorded: Ada Vine')).toBeNull();
    act(() => toast.dismiss(toastStore.get()[0]?.id));
    screen.getByText('Not recorded: Ada Vine');
  });

  test('covers no controls in the header', () => {
    render(
      <>
        <header />
        <ToastRegion />
      </>,
    );
    const header = document.querySelector('header');
    vi.spyOn(header as HTMLElement, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 32, 390, 44));
    act(() => {
      toast.info('Progress saved');
    });
    expect(screen.getByRole('region').style.top).toBe('84px');
  });

  test('covers no words of a title, but those of a page for pouring', () => {
    const onChange = { addEventListener: vi.fn(), removeEventListener: vi.fn() };
    vi.stubGlobal('matchMedia', () => ({ matches: true, ...onChange }));
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(20, 100, 350, 60));
    const words = vi.spyOn(Range.prototype, 'getBoundingClientRect');
    const topAbove = ({ pinned, right }: { pinned: boolean; right: number }) => {
      words.mockReturnValue(new DOMRect(0, 100, right, 60));
      const { unmount } = render(
        <>
          <main id="main" data-pinned={pinned || undefined}>
            <h1>Choose Your Membership</h1>
          </main>
          <ToastRegion />
        </>,
      );
      act(() => {
        toast.info('Progress saved');
      });
      const { top } = screen.getByRole('region').style;
      unmount();
      return top;
    };
    expect(topAbove({ pinned: false, right: 350 })).toBe('160px');
    expect(topAbove({ pinned: true, right: 350 })).toBe('12px');
    // The words end to the left of the toast.
    expect(topAbove({ pinned: false, right: 18 })).toBe('12px');
  });

  test('moves below the controls of a page that appears after it', async () => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 32, 390, 44));
    const { container } = render(<ToastRegion />);
    act(() => {
      toast.success('Welcome back!', { nextPage: true });
    });
    expect(screen.getByRole('region').style.top).toBe('12px');
    container.append(document.createElement('header'));
    await expect.poll(() => screen.getByRole('region').style.top).toBe('84px');
  });
});

describe('the colors', () => {
  const shown = () => document.documentElement.dataset.theme;
  function DarkPage() {
    useDarkByDefault();
    return null;
  }
  afterEach(() => {
    delete document.documentElement.dataset.theme;
  });

  test('follow the system, and are dark at the bar, unless this device has its own choice', () => {
    startTheme();
    expect(shown()).toBeUndefined();
    const page = render(<DarkPage />);
    expect(shown()).toBe('dark');
    act(() => themeSetting.write('light'));
    expect(shown()).toBe('light');
    expect(document.cookie).toContain('cellar-door-theme=light');
    page.unmount();
    act(() => themeSetting.write('dark'));
    expect(shown()).toBe('dark');
    act(() => themeSetting.write('system'));
    expect(shown()).toBeUndefined();
    expect(document.cookie).not.toMatch(/theme=(light|dark)/);
  });
});

describe('the screen stays on', () => {
  function CodePage() {
    useWakeLock();
    return null;
  }

  test('while the page is visible, and a browser’s refusal is not an error', async () => {
    const release = vi.fn(async () => undefined);
    const request = vi.fn(async () => ({ release }));
    vi.stubGlobal('navigator', { wakeLock: { request } });
    const page = render(<CodePage />);
    expect(request).toHaveBeenCalledWith('screen');
    // The browser releases the lock of a hidden page.
    document.dispatchEvent(new Event('visibilitychange'));
    expect(request).toHaveBeenCalledTimes(2);
    page.unmount();
    await expect.poll(() => release).toHaveBeenCalled();
    vi.stubGlobal('navigator', { wakeLock: { request: () => Promise.reject(new Error('low battery')) } });
    render(<CodePage />);
  });
});

test('errors interrupt a screen reader, other messages wait, and repeated ones do not pile up', async () => {
  render(<ToastRegion />);
  const undo = vi.fn();
  toast.error('Error', { description: 'Failed to cancel subscription. Please try again.' });
  toast.success('Pour recorded successfully!');
  toast.success('Pour recorded successfully!', { action: { label: 'Undo', onClick: undo } });

  const error = await screen.findByText('Failed to cancel subscription. Please try again.');
  expect(error.closest('[aria-live]')?.getAttribute('aria-live')).toBe('assertive');
  const success = screen.getByText('Pour recorded successfully!');
  expect(success.closest('[aria-live]')?.getAttribute('aria-live')).toBe('polite');

  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledOnce();
  expect(screen.queryByText('Pour recorded successfully!')).toBeNull();
});

test('a toast is drawn inside an open dialog, where it can be reached; an earlier one stays on the page', async () => {
  toast.info('Progress saved');
  render(
    <>
      <AlertDialog
        open
        title="Cancel your membership?"
        description="You keep your pours until April 12."
        confirmLabel="Cancel Membership"
        onConfirm={() => toast.error('Error')}
        onClose={() => undefined}
      />
      <ToastRegion />
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Cancel Membership' }));
  const shown = await screen.findByText('Error');
  expect(shown.closest('[role="alertdialog"]')).not.toBeNull();
  expect(screen.getByText('Progress saved').closest('[role="alertdialog"]')).toBeNull();
});

test('an error stays within reach when a dialog opens after it', async () => {
  toast.error('Not recorded: Ada Vine');
  const dialog = { title: 'Void Pour', description: 'It is counted again.', confirmLabel: 'Void' };
  render(
    <>
      <AlertDialog {...dialog} open onConfirm={() => undefined} onClose={() => undefined} />
      <ToastRegion />
    </>,
  );
  expect((await screen.findByText('Not recorded: Ada Vine')).closest('[role="alertdialog"]')).not.toBeNull();
});

test('glasses have a text alternative, and are shown as a number when too many to draw', () => {
  render(<Glasses available={7} max={12} />);
  expect(screen.getByRole('img', { name: '7 of 12 pours left' }).children).toHaveLength(12);
  render(<Glasses available={31} max={40} />);
  expect(screen.getByText('31 of 40 pours left')).toBeDefined();
});

test('a QR code decodes to the text it was made from', () => {
  const text = 'q7Rk2mX9vB4tLw8ZcN1yHs6DfJ3gPa5QeU0oTi7K';
  const matrix = qrMatrix(text);
  const scale = 4;
  const edge = (matrix.length + 2 * quietZone) * scale;
  const pixels = new Uint8ClampedArray(edge * edge * 4).fill(255);
  for (let y = 0; y < edge; y += 1) {
    for (let x = 0; x < edge; x += 1) {
      const row = matrix[Math.floor(y / scale) - quietZone];
      if (row?.[Math.floor(x / scale) - quietZone])
        pixels.fill(0, (y * edge + x) * 4, (y * edge + x) * 4 + 3);
    }
  }
  expect(jsQR(pixels, edge, edge)?.data).toBe(text);
});
