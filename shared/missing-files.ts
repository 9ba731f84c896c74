// Files beside a model that are not there, as `broadloom inspect` and the page Models list them.
import type { ModelInitializer } from 'broadloom';

export interface MissingFile {
  /** The path from the model's folder. */
  readonly location: string;
  /** The names of the initializers that have their elements there; none where attributes of nodes have. */
  readonly initializers: readonly string[];
}

/** The files with what the model has in them. */
export function missingFiles(
  locations: readonly string[],
  initializers: readonly Pick<ModelInitializer, 'name' | 'external'>[],
): MissingFile[] {
  const names = new Map(locations.map((location): [string, string[]] => [location, []]));
  for (const { name, external } of initializers) if (external !== null) names.get(external.location)?.push(name);
  return [...names].map(([location, list]) => ({ location, initializers: list }));
}

/** The most initializers that are named. */
export const mostNames = 3;
