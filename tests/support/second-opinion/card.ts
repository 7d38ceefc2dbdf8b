/** A payment card. One that asks is charged only after its holder has confirmed the payment (3-D Secure). */
export interface Card {
  kind: 'pays' | 'declines' | 'asks';
}
