import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import jsQR from 'jsqr';
import { afterEach, expect, test, vi } from 'vitest';
import { Glasses } from '../../../src/web/brand/glasses.tsx';
import { AlertDialog } from '../../../src/web/ui/alert-dialog.tsx';
import { Button } from '../../../src/web/ui/button.tsx';
import { qrMatrix, quietZone } from '../../../src/web/ui/qr-matrix.ts';
import { TextField } from '../../../src/web/ui/text-field.tsx';
import { toast } from '../../../src/web/ui/toast.ts';
import { ToastRegion } from '../../../src/web/ui/toast-region.tsx';

afterEach(() => {
  toast.dismiss();
  cleanup();
});

test('a busy button keeps its place, says so, and submits nothing', async () => {
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
    'At most 7',
    'Please enter a number',
  ]);
  expect(input.getAttribute('aria-invalid')).toBe('true');
});

test('errors interrupt a screen reader, good news wait; the same words do not pile up', async () => {
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

test('a toast is drawn inside an open dialog, where it can be reached', async () => {
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
});

test('glasses are told in words, and counted when there are too many to draw', () => {
  render(<Glasses available={7} max={12} />);
  expect(screen.getByRole('img', { name: '7 of 12 pours left' }).children).toHaveLength(12);
  render(<Glasses available={31} max={40} />);
  expect(screen.getByText('31 of 40 pours left')).toBeDefined();
});

test('the code reads as the text it was made from', () => {
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
