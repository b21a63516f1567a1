"""Writes a table of all types as a CSV, and as Parquet in each way that matters: python3 write.py FOLDER"""
import datetime, decimal, os, random, sys
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

folder = sys.argv[1]
rows = 64
draw = random.Random(7)


def gaps(values, every):
    return [None if i % every == 3 else value for i, value in enumerate(values)]


def ints(bits, signed):
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return pa.array([low, high] + [draw.randint(low, high) for _ in range(rows - 2)],
                    getattr(pa, ("int" if signed else "uint") + str(bits))())


moments = [datetime.datetime(1999 + i % 30, 1 + i % 12, 1 + i % 28, i % 24, i * 7 % 60, i * 13 % 60) for i in range(rows)]
columns = {}
for bits in 8, 16, 32, 64:
    columns[f"i{bits}"] = ints(bits, True)
    columns[f"u{bits}"] = ints(bits, False)
columns |= {
    "f32": pa.array([draw.gauss(0, 1) for _ in range(rows)], pa.float32()),
    "f64": pa.array([draw.gauss(0, 1e9) for _ in range(rows)]),
    "small": pa.array([draw.gauss(0, 1) * 10.0 ** -(i % 30) for i in range(rows)]),
    "whole": pa.array(gaps([float(i % 9) for i in range(rows)], 5)),
    "flag": pa.array([i % 3 == 0 for i in range(rows)]),
    "perhaps": pa.array(gaps([i % 2 == 0 for i in range(rows)], 7)),
    "word": pa.array([f"word {i % 5}" for i in range(rows)]),
    "gaps": pa.array(gaps([("αβγ", " é ", 'a "quoted", text', "NA", "")[i % 5] for i in range(rows)], 4)),
    "class": pa.array(gaps([f"c{i % 3}" for i in range(rows)], 6)).dictionary_encode(),
    "date": pa.array([value.date() for value in moments]),
    "second": pa.array(gaps(moments, 9), pa.timestamp("s")),
    "milli": pa.array(moments, pa.timestamp("ms")),
    "micro": pa.array([value.replace(microsecond=123456) for value in moments], pa.timestamp("us")),
    "nano": pa.array([datetime.datetime(2000 + i % 9, 5, 6) for i in range(rows)], pa.timestamp("ns")),
    "time": pa.array([datetime.time(i % 24, 30) for i in range(rows)], pa.time32("ms")),
    "price": pa.array(gaps([decimal.Decimal(draw.randint(-99999, 99999)) / 100 for _ in range(rows)], 8), pa.decimal128(9, 2)),
    "sum": pa.array([decimal.Decimal(draw.randint(-10**30, 10**30)) / 10**4 for _ in range(rows)], pa.decimal128(38, 4)),
    "none": pa.array([None] * rows, pa.null()),
    "y": pa.array([draw.gauss(5, 2) for _ in range(rows)]),
}
table = pa.table(columns)
table.to_pandas().to_csv(os.path.join(folder, "types.csv"), index=False)


def write(name, of=table, **options):
    pq.write_table(of, os.path.join(folder, name + ".parquet"), **options)


for codec in "none", "snappy", "gzip", "zstd", "lz4":
    write(codec, compression=codec)
write("pages", compression="snappy", data_page_version="2.0", data_page_size=16, write_batch_size=4, row_group_size=11,
      write_page_checksum=True)
write("old", compression="gzip", version="1.0", use_deprecated_int96_timestamps=True, use_dictionary=False)
for name, texts in ("delta", "DELTA_LENGTH_BYTE_ARRAY"), ("prefixes", "DELTA_BYTE_ARRAY"):
    encodings = {column: "DELTA_BINARY_PACKED" for column in columns if column[0] in "iu" and column[1:].isdigit()}
    encodings |= {column: "BYTE_STREAM_SPLIT" for column in ("f32", "f64", "small", "whole", "y")}
    encodings |= {column: texts for column in ("word", "gaps")}
    encodings |= {"flag": "RLE", "perhaps": "RLE", "milli": "DELTA_BINARY_PACKED"}
    if texts == "DELTA_BYTE_ARRAY":
        encodings |= {"sum": texts, "price": texts}
    write(name, compression="zstd", data_page_version="2.0", use_dictionary=False, column_encoding=encodings)
nested = pa.table({"x": [1.0, 2.0, 4.0], "tags": [["a"], [], None], "picture": [b"\x01", b"", None], "y": [1.0, 3.0, 2.0],
                   "place": [{"a": 1, "b": "c"}] * 3, "half": pa.array([1.0, 2.0, 3.0], pa.float16())})
write("nested", nested)
