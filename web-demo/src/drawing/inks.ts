// The colours of a drawing, as the page has them now.
import { operatorGroups } from '../facts.js';
import type { Inks } from './draw.js';

/** The hue of a group. By the golden angle, those that follow each other differ most, however many there are. */
function hueOf(index: number): number {
  return Math.round(index * 137.5) % 360;
}

/** The colour of a group's nodes, for any theme. The nearest hues, 13 and 21 groups apart, differ in depth. */
export function groupColour(group: string): string {
  const index = operatorGroups.findIndex(({ name }) => name === group);
  const hue = hueOf(index);
  return index % 2 === 0
    ? `light-dark(oklch(0.94 0.05 ${hue}), oklch(0.34 0.06 ${hue}))`
    : `light-dark(oklch(0.87 0.085 ${hue}), oklch(0.42 0.09 ${hue}))`;
}

/** The colour of a group where a node is a few pixels without a border: it stands out from the ground of any theme. */
function deepColour(group: string): string {
  const hue = hueOf(operatorGroups.findIndex(({ name }) => name === group));
  return `light-dark(oklch(0.6 0.13 ${hue}), oklch(0.72 0.12 ${hue}))`;
}

export function readInks(element: HTMLElement): Inks {
  // Custom properties hold `light-dark()` as it is written; only a property of an element has the colour.
  const computed = (colour: string): string => {
    Object.assign(element.style, { outlineColor: colour, forcedColorAdjust: 'none' });
    const { outlineColor } = getComputedStyle(element);
    Object.assign(element.style, { outlineColor: '', forcedColorAdjust: '' });
    return outlineColor;
  };
  const colour = (property: string): string => computed(`var(${property})`);
  const line = colour('--ink-2');
  return {
    ...{ ink: colour('--ink'), edge: colour('--drawing-edge'), chosen: colour('--accent') },
    ...{ bad: colour('--bad'), heat: colour('--warm'), small: line, ground: colour('--bg') },
    fills: {
      stays: colour('--surface'),
      changed: colour('--accent-soft'),
      goes: colour('--warm-soft'),
      comes: colour('--good-soft'),
    },
    strokes: { stays: line, changed: colour('--accent'), goes: colour('--warm'), comes: colour('--good') },
    deepGroups: Object.fromEntries(operatorGroups.map(({ name }) => [name, computed(deepColour(name))])),
    groups: Object.fromEntries(operatorGroups.map(({ name }) => [name, computed(groupColour(name))])),
    fontFamily: getComputedStyle(element).fontFamily,
  };
}
