// Numbers to pixels, and the round numbers that stand at an axis.

/** A linear scale with `to(value)` in pixels. */
export class Scale {
  constructor([low, high], [from, until]) {
    Object.assign(this, { low, high, from, until });
  }

  to(value) {
    return this.from + ((value - this.low) / (this.high - this.low)) * (this.until - this.from);
  }
}

/** Round numbers from `low` to `high`, about `count` of them: 1, 2, 2.5 or 5 times a power of ten apart. */
export function ticks(low, high, count) {
  const step = stepOf((high - low) / Math.max(1, count));
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, number) => rounded((first + number) * step, step));
}

function stepOf(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((one) => rough <= one * power * (1 + 1e-9));
  return (factor ?? 10) * power;
}

const rounded = (value, step) => Number(value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(step)))));

/** The range that holds all values, ending on round numbers; with zero where areas stand on it. */
export function range(values, { zero }) {
  let low = zero ? 0 : Infinity, high = zero ? 0 : -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  if (low === high) return low === 0 ? [0, 1] : [Math.min(low, 0), Math.max(high, 0)];
  const step = stepOf((high - low) / 5);
  return [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
}

/** At most `count` of the items, evenly apart, the first among them. */
export function thinned(items, count) {
  const step = Math.max(1, Math.ceil(items.length / Math.max(1, count)));
  return items.filter((_, place) => place % step === 0);
}
