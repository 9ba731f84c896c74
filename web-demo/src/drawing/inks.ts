// The colours of a drawing, as the page has them now.
import { operatorGroups } from '../facts.js';
import type { Inks } from './draw.js';

/** The hue of a group. By the golden angle, those that follow each other differ most, however many there are. */
function hueOf(index: number): number {
  return Math.round(index * 137.5) % 360;
}

/** The colour of a group's nodes, for any theme. */
export function groupColour(group: string): string {
  const index = operatorGroups.findIndex(({ name }) => name === group);
  const hue = hueOf(index);
  return `light-dark(oklch(0.93 0.055 ${hue}), oklch(0.36 0.07 ${hue}))`;
}

export function readInks(element: HTMLElement): Inks {
  // Custom properties hold `light-dark()` as it is written; only a property of an element has the colour.
  const computed = (colour: string): string => {
    element.style.outlineColor = colour;
    const { outlineColor } = getComputedStyle(element);
    element.style.outlineColor = '';
    return outlineColor;
  };
  const colour = (property: string): string => computed(`var(${property})`);
  const line = colour('--ink-2');
  return {
    ...{ ink: colour('--ink'), edge: colour('--drawing-edge'), chosen: colour('--accent') },
    ...{ bad: colour('--bad'), small: line, ground: colour('--bg') },
    fills: {
      stays: colour('--surface'),
      changed: colour('--accent-soft'),
      goes: colour('--warm-soft'),
      comes: colour('--accent-soft'),
    },
    strokes: { stays: line, changed: colour('--accent'), goes: colour('--warm'), comes: colour('--accent') },
    groups: Object.fromEntries(operatorGroups.map(({ name }) => [name, computed(groupColour(name))])),
    fontFamily: getComputedStyle(element).fontFamily,
  };
}
