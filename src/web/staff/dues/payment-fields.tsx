import { useEffect, useEffectEvent } from 'react';
import {
  DUES_METHODS,
  DUES_MONTHS,
  type DuesMethod,
  type DuesMonths,
  duesAmount,
  YEAR_MONTHS,
} from '../../../domain/membership/dues.ts';
import { parseAmount, toMajorUnits } from '../../../domain/money.ts';
import { monthsFreeText } from '../../../domain/tiers.ts';
import { site } from '../../api/site.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { FieldAttributes } from '../../ui/use-form.ts';
import { METHODS, monthsText } from './dues-text.ts';

/** The fields of a form that a payment at the venue adds: `extra` of useForm. */
export const PAYMENT_EXTRA = ['months', 'method', 'amount'] as const;
type PaymentField = (typeof PAYMENT_EXTRA)[number];
type PaymentTexts = Record<PaymentField, string>;

const MONTHS = DUES_MONTHS.map((months) => ({ value: String(months), label: monthsText(months) }));
const NOT_SAID = { value: '', label: 'Not said' };

const monthsOf = (text: string): DuesMonths =>
  DUES_MONTHS.find((months) => String(months) === text) ?? DUES_MONTHS[0];

/** What the call is sent. Without an amount, the server takes the price of the months. */
export function readPayment({ months, method, amount }: PaymentTexts): {
  months: DuesMonths;
  method: DuesMethod | null;
  amount_cents?: number;
} {
  const amount_cents = parseAmount(amount.trim(), site.currency);
  return {
    months: monthsOf(months),
    method: DUES_METHODS.find((name) => name === method) ?? null,
    ...(amount_cents !== null && { amount_cents }),
  };
}

/** The `alert` of useForm. */
export function amountAlert({ amount }: PaymentTexts) {
  const text = amount.trim();
  if (text === '' || parseAmount(text, site.currency) !== null) return null;
  return {
    field: 'amount',
    at: 'field',
    text: `Enter an amount in ${site.currency.toUpperCase()}, such as 39 or 39.50.`,
  } as const;
}

/** 3900 -> '39', 3950 -> '39.50', as it is typed. */
const typedAmount = (amount: number) => toMajorUnits(amount, site.currency).toFixed(2).replace(/\.00$/, '');

/** The fields as a form opens. `price_cents`: undefined until loaded. */
export const paymentValues = (price_cents: number | undefined, method: DuesMethod | '' = '') => ({
  months: String(DUES_MONTHS[0]),
  method,
  amount: price_cents === undefined ? '' : typedAmount(DUES_MONTHS[0] * price_cents),
});

interface PaymentFieldsProps {
  form: {
    values: PaymentTexts;
    set: (field: PaymentField, value: string) => void;
    field: (field: PaymentField) => FieldAttributes;
  };
  /** The tier's monthly price; undefined until loaded. */
  price_cents: number | undefined;
  /** The price of twelve months at once; null if they cost twelve times one. */
  year_cents: number | null | undefined;
  /** The first payment need not say how it was paid. */
  methodOptional?: boolean;
}

/** Months, way of paying, and the amount: the price of the months until another is typed. Nothing for a tier without a price. */
export function PaymentFields({ form, price_cents, year_cents = null, methodOptional }: PaymentFieldsProps) {
  const months = monthsOf(form.values.months);
  const price = price_cents === undefined ? '' : typedAmount(duesAmount({ price_cents, year_cents }, months));
  const saved =
    months === YEAR_MONTHS && year_cents && price_cents && monthsFreeText(year_cents, price_cents);
  const showPrice = useEffectEvent((text: string) => form.set('amount', text));
  useEffect(() => showPrice(price), [price]);
  if (price_cents === 0) return null;
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-5 sm:grid-cols-3">
      <SelectField label="Paid for" options={MONTHS} {...form.field('months')} />
      <SelectField
        label="Paid by"
        options={methodOptional ? [NOT_SAID, ...METHODS] : METHODS}
        {...form.field('method')}
      />
      <TextField
        label={`Amount (${site.currency.toUpperCase()})`}
        inputMode="decimal"
        autoComplete="off"
        placeholder={price}
        className="max-sm:col-span-2"
        {...form.field('amount')}
        maxLength={10}
      />
      {saved && <p className="col-span-full text-ink-muted text-sm">The price of a year: {saved}.</p>}
    </div>
  );
}
