//! Chunks unpack to what their array says of them, and to nothing more.
//!
//! The library unpacks to whatever comes out, and some kilobytes can hold gigabytes of zeros. It lets packers be replaced by name, here by
//! ones that stop: so they do inside of shards and behind one another too.

use std::any::Any;
use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::{Arc, Once};

use zarrs::array::codec::api::{
    BytesToBytesCodecTraits, Codec, CodecError, CodecMetadataOptions, CodecOptions, CodecRuntimePluginV2,
    CodecRuntimePluginV3, CodecSpecificOptions, CodecTraits, CodecTraitsV2, CodecTraitsV3,
    PartialDecoderCapability, PartialEncoderCapability, RecommendedConcurrency, register_codec_v2,
    register_codec_v3,
};
use zarrs::array::codec::{
    BloscCodec, GzipCodec, ZlibCodec, ZstdCodec, blosc_decompress_bytes, blosc_validate,
};
use zarrs::array::{ArrayBytesRaw, BytesRepresentation};
use zarrs::metadata::Configuration;
use zarrs::plugin::{ExtensionAliases, ExtensionName, ZarrVersion, ZarrVersion2, ZarrVersion3};

/// Bytes that a byte packed by deflate can become at most.
const DEFLATE: usize = 1032;

/// The bytes that a chunk of texts may unpack to: how long they are no array says.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextBytes(pub(super) u64);

/// For chunks in shards, which are not told.
impl Default for TextBytes {
    fn default() -> Self {
        TextBytes(64 << 20)
    }
}

/// Puts the packers of this file in the place of the library's.
pub(super) fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        replace::<GzipCodec>(|packed, most| {
            inflated(flate2::read::GzDecoder::new(packed), packed.len(), most)
        });
        replace::<ZlibCodec>(|packed, most| {
            inflated(flate2::read::ZlibDecoder::new(packed), packed.len(), most)
        });
        replace::<ZstdCodec>(zstandard);
        replace::<BloscCodec>(blosc);
    });
}

fn replace<C>(unpack: Unpack)
where
    C: CodecTraitsV2
        + CodecTraitsV3
        + ExtensionAliases<ZarrVersion2>
        + ExtensionAliases<ZarrVersion3>
        + 'static,
{
    register_codec_v2(CodecRuntimePluginV2::new(
        <C as ExtensionAliases<ZarrVersion2>>::matches_name,
        move |metadata| Ok(bounded(<C as CodecTraitsV2>::create(metadata)?, unpack)),
    ));
    register_codec_v3(CodecRuntimePluginV3::new(
        <C as ExtensionAliases<ZarrVersion3>>::matches_name,
        move |metadata| Ok(bounded(<C as CodecTraitsV3>::create(metadata)?, unpack)),
    ));
}

fn bounded(codec: Codec, unpack: Unpack) -> Codec {
    match codec {
        Codec::BytesToBytes(inner) => {
            Codec::BytesToBytes(Arc::new(Bounded { inner, unpack, texts: TextBytes::default() }))
        }
        other => other,
    }
}

/// Unpacks to so many bytes at most.
type Unpack = fn(&[u8], usize) -> io::Result<Vec<u8>>;

fn too_large(most: usize) -> io::Error {
    io::Error::other(format!("it unpacks to more than the {most} bytes that it may have"))
}

/// Room for so many bytes, or an error where memory lacks.
fn room(bytes: usize) -> io::Result<Vec<u8>> {
    let mut room = Vec::new();
    room.try_reserve_exact(bytes)?;
    Ok(room)
}

fn inflated(unpacked: impl Read, packed: usize, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = room(most.min(packed.saturating_mul(DEFLATE)))?;
    unpacked.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most { Err(too_large(most)) } else { Ok(bytes) }
}

fn zstandard(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
    let whole = zstd::bulk::Decompressor::upper_bound(packed);
    let claimed = whole.ok_or_else(|| io::Error::other("it is cut off, or not what Zstandard writes"))?;
    let mut bytes = room(most.min(claimed))?;
    match zstd::bulk::Decompressor::new()?.decompress_to_buffer(packed, &mut bytes) {
        Ok(_) => Ok(bytes),
        Err(_) if claimed > most => Err(too_large(most)),
        Err(error) => Err(error),
    }
}

fn blosc(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
    let size = blosc_validate(packed).ok_or_else(|| io::Error::other("it is not what Blosc writes"))?;
    if size > most {
        return Err(too_large(most));
    }
    // The library ends the process where memory lacks: it is tried out first.
    room(size)?;
    blosc_decompress_bytes(packed, size, 1).map_err(io::Error::other)
}

/// A packer of the library that unpacks by a function of this file.
#[derive(Debug, Clone)]
struct Bounded {
    inner: Arc<dyn BytesToBytesCodecTraits>,
    unpack: Unpack,
    texts: TextBytes,
}

impl ExtensionName for Bounded {
    fn name(&self, version: ZarrVersion) -> Option<Cow<'static, str>> {
        self.inner.name(version)
    }
}

impl CodecTraits for Bounded {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn configuration(&self, version: ZarrVersion, options: &CodecMetadataOptions) -> Option<Configuration> {
        self.inner.configuration(version, options)
    }

    fn partial_decoder_capability(&self) -> PartialDecoderCapability {
        PartialDecoderCapability { partial_read: false, partial_decode: false }
    }

    fn partial_encoder_capability(&self) -> PartialEncoderCapability {
        self.inner.partial_encoder_capability()
    }
}

impl BytesToBytesCodecTraits for Bounded {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn BytesToBytesCodecTraits> {
        self
    }

    fn with_codec_specific_options(
        self: Arc<Self>,
        options: &CodecSpecificOptions,
    ) -> Arc<dyn BytesToBytesCodecTraits> {
        let texts = options.get_option::<TextBytes>().copied().unwrap_or(self.texts);
        Arc::new(Bounded { texts, ..(*self).clone() })
    }

    fn recommended_concurrency(
        &self,
        unpacked: &BytesRepresentation,
    ) -> Result<RecommendedConcurrency, CodecError> {
        self.inner.recommended_concurrency(unpacked)
    }

    fn encoded_representation(&self, unpacked: &BytesRepresentation) -> BytesRepresentation {
        self.inner.encoded_representation(unpacked)
    }

    fn encode<'a>(
        &self,
        unpacked: ArrayBytesRaw<'a>,
        options: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        self.inner.encode(unpacked, options)
    }

    fn decode<'a>(
        &self,
        packed: ArrayBytesRaw<'a>,
        unpacked: &BytesRepresentation,
        _: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let most = usize::try_from(unpacked.size().unwrap_or(self.texts.0)).unwrap_or(usize::MAX);
        Ok(Cow::Owned((self.unpack)(&packed, most)?))
    }
}
