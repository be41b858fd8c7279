export interface Item {
  readonly key: string;
  readonly value: string;
}

export interface Store {
  put(item: Item): Promise<void>;
  close(): Promise<void>;
}
