/** The name and the tag of a container image: `nvcr.io/nvidia/pytorch:25.04-py3@sha256:…`. Null where there is no tag. */
export function readImage(reference: string): { readonly name: string; readonly tag: string | null } {
  const [tagged = ''] = reference.trim().split('@');
  const colon = tagged.lastIndexOf(':');
  // A colon before a slash belongs to the port of a registry
  if (colon <= tagged.lastIndexOf('/')) return { name: tagged, tag: null };
  return { name: tagged.slice(0, colon), tag: tagged.slice(colon + 1) };
}

/** Whether an image is of this name: the whole path, or its end (`pytorch` and `nvidia/pytorch` of `nvcr.io/nvidia/pytorch`). */
export function isImageNamed(name: string, wanted: string): boolean {
  const [one, other] = [name.toLowerCase(), wanted.toLowerCase()];
  return one === other || one.endsWith(`/${other}`);
}
