"""From events to printed lines without holding up the keys. Entry type: `pump.OutputPump`."""
